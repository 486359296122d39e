// Groups of enrollments that are moved together.
import type { OfficeEnrollment } from '../../api-types.ts';

export type MoveGroup = { sectionId: number; courseId: number; label: string; ids: number[] };

/** Enrollments by their section, in the order of the list; those without one are left out. */
export function bySection(rows: readonly Pick<OfficeEnrollment, 'id' | 'courseId' | 'courseCode' | 'section'>[]): MoveGroup[] {
  const groups = new Map<number, MoveGroup>();
  for (const { id, courseId, courseCode, section } of rows) {
    if (!section) continue;
    const group = groups.get(section.id) ?? { sectionId: section.id, courseId, label: `${courseCode} ${section.label}`, ids: [] };
    group.ids.push(id);
    groups.set(section.id, group);
  }
  return [...groups.values()];
}
