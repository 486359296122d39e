// The mock server of unit tests.
import { setupServer } from 'msw/node';

export const server = setupServer();
