import { type ComponentType, lazy, Suspense } from 'react';
import { createBrowserRouter, Outlet, type RouteObject, ScrollRestoration } from 'react-router';
import { LoadingState } from './components/loading-state';
import { NotFound } from './shell/not-found';
import { PageCrash } from './shell/page-crash';
import { RequireSession } from './shell/require-session';
import { Shell } from './shell/shell';

/** A page whose code is loaded when it is first shown; what it throws stays within the frame. */
function page(path: string, load: () => Promise<{ default: ComponentType }>): RouteObject {
  const Page = lazy(load);
  return {
    path,
    element: (
      <Suspense key={path} fallback={<LoadingState />}>
        <Page />
      </Suspense>
    ),
    errorElement: <PageCrash />,
  };
}

/** The pages within the frame; the links to them stand in shell/nav-links.ts. */
const pages: RouteObject[] = [
  page('/', () => import('./pages/overview/page')),
  page('numbers', () => import('./pages/numbers/page')),
  page('templates', () => import('./pages/templates/page')),
  page('templates/new', () => import('./pages/template-editor/page')),
  page('templates/:id/edit', () => import('./pages/template-editor/page')),
  page('templates/:id', () => import('./pages/templates/detail-page')),
  page('messages/:id?', () => import('./pages/messages/page')),
  page('campaigns', () => import('./pages/campaigns/page')),
  page('campaigns/new', () => import('./pages/campaigns/new-page')),
  page('campaigns/:id', () => import('./pages/campaigns/detail-page')),
  page('send', () => import('./pages/send/page')),
  page('settings/api-keys', () => import('./pages/settings/api-keys-page')),
  page('settings/users', () => import('./pages/settings/users-page')),
  page('settings/rate-card', () => import('./pages/settings/rate-card-page')),
  page('settings/audit-log', () => import('./pages/settings/audit-log-page')),
  page('settings/password', () => import('./pages/settings/password-page')),
  { path: '*', element: <NotFound /> },
];

export const router = createBrowserRouter(
  [
    {
      element: <Root />,
      errorElement: <PageCrash />,
      children: [
        page('login', () => import('./pages/login/page')),
        {
          element: (
            <RequireSession>
              <Shell />
            </RequireSession>
          ),
          children: pages,
        },
      ],
    },
  ],
  // Without its last slash, so that it is the address that people type, too.
  { basename: import.meta.env.BASE_URL.replace(/\/$/, '') },
);

function Root() {
  return (
    <>
      <ScrollRestoration />
      <Outlet />
    </>
  );
}
