// The spreadsheet program that lists are downloaded for; this browser remembers it.
import { readLocal, writeLocal } from './local.ts';

export const sheetStyles = { en: 'English Excel (comma, 769.00)', fr: 'French Excel (semicolon, 769,00)' } as const;
export type SheetStyle = keyof typeof sheetStyles;

const key = 'sheet';

export const sheetStyle = (): SheetStyle => (readLocal(key) === 'fr' ? 'fr' : 'en');

export const rememberSheetStyle = (style: SheetStyle) => writeLocal(key, style === 'en' ? null : style);

/** The address of a download: a list's sheet is written for that program. */
export function sheetAddress(href: string): string {
  const isSheet = /[?&]format=csv(?:&|$)/.test(href);
  return isSheet && sheetStyle() === 'fr' ? `${href}&sheet=fr` : href;
}
