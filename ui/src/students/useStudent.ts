// The signed-in student; for what stands inside the student portal's frame.
import { useOutletContext } from 'react-router';
import type { Student } from '../api-types.ts';

export function useStudent(): Student {
  return useOutletContext<Student>();
}
