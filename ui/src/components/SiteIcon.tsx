// Small line drawings. Always beside words, so hidden from assistive technology. The portals have more of
// them (Icon.tsx), which a visitor need not load.

export const drawings = {
  book: 'M12 6.5C10 5 7.4 4.4 4 4.5v13c3.4-.1 6 .5 8 2 2-1.5 4.6-2.1 8-2v-13c-3.4-.1-6 .5-8 2Zm0 0v13',
  people: 'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20c.3-3.6 2.8-5.5 6.5-5.5s6.2 1.9 6.5 5.5M16 4.8a3.4 3.4 0 0 1 0 6.4M18 14.9c2 .7 3.3 2.4 3.5 5.1',
  cap: 'M12 4.5 1.8 9.3 12 14l10.2-4.7L12 4.5ZM6 11.5v4.7c1.5 1.5 3.5 2.3 6 2.3s4.5-.8 6-2.3v-4.7M22.2 9.3v5.7',
  live: 'M3.5 5h17v11h-17zM8 20h8M12 16v4M10.2 8.2l4.3 2.3-4.3 2.3z',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5.2l3.4 2',
  door: 'M13.5 4.5H19v15h-5.5M4 12h10.5M10.5 8l4 4-4 4',
  rise: 'M4 18.5 9.5 13l3.5 3.5 7-8.5M14.8 8H20v5.2',
  pencil: 'm4 20 1.1-4.5L16 4.6a2 2 0 0 1 2.9 0l.5.5a2 2 0 0 1 0 2.9L8.5 18.9 4 20ZM14 6.6l3.4 3.4',
  compass: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM15.8 8.2l-2.1 5.5-5.5 2.1 2.1-5.5z',
  pin: 'M12 21.5c4.6-5 7-8.7 7-11.7a7 7 0 1 0-14 0c0 3 2.4 6.7 7 11.7ZM12 12.3a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2Z',
  phone: 'M5 3.5h3.6l1.7 4.6-2.2 1.7a13 13 0 0 0 6.1 6.1l1.7-2.2 4.6 1.7V19a1.8 1.8 0 0 1-1.9 1.8C10.4 20.4 3.6 13.6 3.2 5.4 3.2 4.3 4 3.5 5 3.5Z',
  mail: 'M3 5.5h18v13H3zM3.5 6.5 12 13l8.5-6.5',
  send: 'M20.5 3.5 3 10.5l7 3 3 7 7.5-17ZM10 13.5l4.5-4.5',
  globe: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3.3 9.5h17.4M3.3 14.5h17.4M12 3c-2.6 2.7-3.7 5.6-3.7 9s1.1 6.3 3.7 9c2.6-2.7 3.7-5.6 3.7-9S14.6 5.7 12 3Z',
  chevron: 'm6 9 6 6 6-6',
  arrow: 'M4 12h15M13 6l6 6-6 6',
  external: 'M18 13.5V20H4V6h6.5M14 3.5h6.5V10M20 4l-9 9',
  menu: 'M3.5 6.5h17M3.5 12h17M3.5 17.5h17',
  close: 'm5.5 5.5 13 13M18.5 5.5l-13 13',
  search: 'M10.8 18a7.2 7.2 0 1 0 0-14.4 7.2 7.2 0 0 0 0 14.4ZM16 16l5 5',
  alert: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7.5v5.5M12 16.2v.1',
  check: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM8 12.3l2.8 2.8L16 9.5',
  eye: 'M2.5 12C5 7.8 8.2 5.7 12 5.7s7 2.1 9.5 6.3c-2.5 4.2-5.7 6.3-9.5 6.3S5 16.2 2.5 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
  hidden: 'M4 4l16 16M9.6 5.9a9.3 9.3 0 0 1 2.4-.3c3.8 0 7 2.1 9.5 6.4a17 17 0 0 1-2.7 3.4M6.5 7.5A16 16 0 0 0 2.5 12c2.5 4.2 5.7 6.3 9.5 6.3 1.7 0 3.3-.4 4.7-1.2M10 10a3 3 0 0 0 4.1 4.1',
  key: 'M8 20a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM11.3 12.4 20 3.8M16 7.7l3.2 3.2M13.4 10.3l1.9 1.9',
} as const;

export type SiteIconName = keyof typeof drawings;

export function SiteIcon({ name }: { name: SiteIconName }) {
  return <Drawing path={drawings[name]} />;
}

export function Drawing({ path }: { path: string }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  );
}
