// Role labels. What a role may do comes from the server.
import type { Role } from '../api-types.ts';

const titles: Record<Role, string> = { admin: 'Administrator', registrar: 'Registrar', bursar: 'Bursar', viewer: 'Viewer' };

export const roles = Object.keys(titles) as Role[];

export const roleTitle = (role: Role) => titles[role];
