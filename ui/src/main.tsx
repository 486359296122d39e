// Starts the interface in the page the server sent.
// First, because it says in which order the layers of all the others count.
import './styles/index.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { newQueryClient, readBoot, seedQueries } from './boot.ts';
import { routes } from './routes.tsx';
import { watchVanishedFiles } from './upgrade.ts';

watchVanishedFiles();

const queryClient = newQueryClient();
const boot = readBoot(document);
if (boot) seedQueries(queryClient, boot);

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root element.');

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createBrowserRouter(routes(queryClient))} />
    </QueryClientProvider>
  </StrictMode>,
);
