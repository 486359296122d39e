// The stand-in for the real server in unit tests.
import { setupServer } from 'msw/node';

export const server = setupServer();
