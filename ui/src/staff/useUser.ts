// The signed-in member of the staff; for what stands inside the office's frame.
import { useOutletContext } from 'react-router';
import type { User } from '../api-types.ts';

export function useUser(): User {
  return useOutletContext<User>();
}
