// What a role is called. What it may do comes from the server, which decides it.
import type { Role } from '../api-types.ts';

const titles: Record<Role, string> = { admin: 'Administrator', registrar: 'Registrar', bursar: 'Bursar', viewer: 'Viewer' };

export const roles = Object.keys(titles) as Role[];

export const roleTitle = (role: Role) => titles[role];
