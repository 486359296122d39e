// Line icons, always beside text and therefore hidden from assistive technology. These are needed by every page;
// SchoolIcon.tsx and Icon.tsx have more.

export const drawings = {
  mail: 'M3 5.5h18v13H3zM3.5 6.5 12 13l8.5-6.5',
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
