// Today's date in the school's time zone, as the server uses it.
import { schoolDay } from '../dates.ts';
import { useSchool } from './queries.ts';

export const useSchoolDay = () => schoolDay(useSchool().timeZone);
