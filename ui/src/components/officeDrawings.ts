// Line icons that the office alone draws, added to those of `Icon` by its navigation: a student's page need not load them.
export const officeDrawings = {
  send: 'M20.5 3.5 3 10.5l7 3 3 7 7.5-17ZM10 13.5l4.5-4.5',
  grid: 'M4 4h7v7H4zM13.5 4h6.5v7h-6.5zM4 13.5h7V20H4zM13.5 13.5h6.5V20h-6.5z',
  inbox: 'M4 5h16v14H4zM4 13.5h4.5l1.5 2.5h4l1.5-2.5H20',
  calendar: 'M4 5h16v14H4zM4 10h16M8 3v4M16 3v4',
  up: 'm6 15 6-6 6 6',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c.4-4.2 3-6.2 7.5-6.2s7.1 2 7.5 6.2',
  dollar: 'M12 2.5v19M16.5 7.2C15.6 5.9 14 5.3 12 5.3c-2.6 0-4.4 1.2-4.4 3.2 0 4.6 9.1 2.2 9.1 6.9 0 2-1.9 3.3-4.7 3.3-2.2 0-3.9-.8-4.9-2.2',
  badge: 'M4 5.5h16v13.5H4zM9 13a2.1 2.1 0 1 0 0-4.2A2.1 2.1 0 0 0 9 13ZM6 16.3c.3-1.5 1.3-2.2 3-2.2s2.7.7 3 2.2M14.5 10H18M14.5 13.5H18',
} as const;

export type OfficeDrawings = typeof officeDrawings;
