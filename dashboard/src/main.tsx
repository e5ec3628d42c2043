import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './global.css';
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router';
import { probe } from './api/client';
import { watchConnection } from './api/connection';
import { queryClient } from './api/query-client';
import { router } from './app';
import { savedDirection } from './shell/direction';
import { cssVariables, theme } from './theme';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');

// Before the first render, so that the user does not see the layout being mirrored; Mantine follows the attribute.
document.documentElement.dir = savedDirection();

watchConnection(probe);

createRoot(root).render(
  <StrictMode>
    <DirectionProvider initialDirection={savedDirection()}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <Notifications position="bottom-right" />
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  </StrictMode>,
);
