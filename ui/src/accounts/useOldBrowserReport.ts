// Tells the server once per visit that this browser's time-zone rules are older than the school's.
import { useEffect } from 'react';
import { postJson } from '../api.ts';
import { isOldBrowser, type Zone } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import type { Portal } from './session.ts';

const month_ms = 30 * 86_400_000;

/** Whether the rules differ within a year of an instant. */
export const areRulesOld = (school: Zone, now_ms: number) =>
  Array.from({ length: 13 }, (_, month) => new Date(now_ms + month * month_ms).toISOString()).some((instant) => isOldBrowser(school, instant));

export function useOldBrowserReport(portal: Portal) {
  const { timeZone } = useSchool();
  useEffect(() => {
    if (!areRulesOld(timeZone, Date.now())) return;
    // Only the doctor's report needs it.
    postJson(portal === 'student' ? '/api/students/old-browser' : '/api/user/old-browser').catch(() => {});
  }, [portal, timeZone]);
}
