import { type ComponentType, Suspense } from 'react';
import { createBrowserRouter, Outlet, type RouteObject, ScrollRestoration } from 'react-router';
import { LoadingState } from './components/loading-state';
import { lazyPart } from './lazy-part';
import { type PagePath, pagePaths } from './page-paths';
import { NotFound } from './shell/not-found';
import { PageCrash } from './shell/page-crash';
import { RequireSession } from './shell/require-session';
import { Shell } from './shell/shell';

type LoadPage = () => Promise<{ default: ComponentType }>;

/** The pages within the frame; shell/nav-links.ts has the links to them. */
const pages: Record<PagePath, LoadPage> = {
  '/': () => import('./pages/overview/page'),
  numbers: () => import('./pages/numbers/page'),
  templates: () => import('./pages/templates/page'),
  'templates/new': () => import('./pages/template-editor/page'),
  'templates/:id/edit': () => import('./pages/template-editor/page'),
  'templates/:id': () => import('./pages/templates/detail-page'),
  'messages/:id?': () => import('./pages/messages/page'),
  campaigns: () => import('./pages/campaigns/page'),
  'campaigns/new': () => import('./pages/campaigns/new-page'),
  'campaigns/:id': () => import('./pages/campaigns/detail-page'),
  send: () => import('./pages/send/page'),
  'opt-outs': () => import('./pages/opt-outs/page'),
  alerts: () => import('./pages/alerts/page'),
  'settings/api-keys': () => import('./pages/settings/api-keys-page'),
  'settings/webhook-endpoints': () => import('./pages/settings/endpoints/page'),
  'settings/users': () => import('./pages/settings/users-page'),
  'settings/spend-limits': () => import('./pages/settings/spend-limits/page'),
  'settings/rate-card': () => import('./pages/settings/rate-card-page'),
  'settings/audit-log': () => import('./pages/settings/audit-log-page'),
  'settings/password': () => import('./pages/settings/password-page'),
  'settings/second-factor': () => import('./pages/settings/second-factor/page'),
};

/** A page whose code is loaded when it is first shown; its errors are shown within the frame. */
function page(path: string, load: LoadPage): RouteObject {
  const Page = lazyPart(path, load);
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
          children: [
            ...pagePaths.map((path) => page(path, pages[path])),
            { path: '*', element: <NotFound /> },
          ],
        },
      ],
    },
  ],
  // Without its last slash, as people type the address.
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
