// Decisions about a student's enrollments, with Undo, on the student's page.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DecidedEnrollment } from '../api-types.ts';
import { type Decided, decidedHere } from '../enrollments/decisionResults.ts';
import { RowActions } from '../enrollments/office/RowActions.tsx';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { countsKey, officeKey, studentEnrollmentsQuery } from '../enrollments/queries.ts';

export function useStudentDecisions(studentId: number) {
  const client = useQueryClient();
  const rows = useQuery(studentEnrollmentsQuery(studentId)).data?.rows ?? [];
  const [decisions, setDecisions] = useState<Record<number, Decided>>({});

  function keep(id: number, decided: Decided | null) {
    setDecisions((before) => {
      const others = Object.fromEntries(Object.entries(before).filter(([key]) => Number(key) !== id));
      return decided?.undo ? { ...others, [id]: decided } : others;
    });
    // Refetch the page and its history.
    for (const queryKey of [recordsKey, officeKey, countsKey, ['dashboard'], ['courses', 'office']]) void client.invalidateQueries({ queryKey });
  }

  return {
    prerequisite: (id: number) => rows.find((one) => one.id === id)?.prerequisite,
    note: (answer: DecidedEnrollment) => keep(answer.id, decidedHere(answer, '')),
    actions: (id: number) => {
      const row = rows.find((one) => one.id === id);
      const decision = decisions[id];
      if (!row) return null;
      const own = { enrollment: row, describedBy: `enrollment-${id}`, onDecided: (next: Decided) => keep(id, next), onUndone: () => keep(id, null) };
      return (
        <>
          {decision && <RowActions {...own} decision={decision} />}
          <RowActions {...own} decision={undefined} />
        </>
      );
    },
  };
}
