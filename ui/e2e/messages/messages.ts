// The inbox of the worker's school, as its other tests want to find it.
import type { Page } from '@playwright/test';

/** Opening a message reads it: here it stays as it was. */
export const leaveNew = (page: Page) => page.route(/\/api\/admin\/messages\/\d+\/read$/, (route) => route.fulfill({ status: 500, body: '' }));
