import { Center, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { sessionQuery } from '../api/session';
import { ErrorState } from '../components/error-state';
import { strings } from '../strings';
import { ConnectionBanner } from './connection-banner';
import { loginPath } from './login-path';

/** Shows its children to signed-in users, and sends others to the login. */
export function RequireSession({ children }: { children: ReactNode }) {
  const { data: session, error, refetch } = useQuery(sessionQuery);
  const { pathname, search } = useLocation();
  if (session) return children;
  if (session === null) return <Navigate to={loginPath(pathname + search)} replace />;
  return (
    <main>
      <ConnectionBanner />
      <Center h="80vh">
        {error ? (
          <ErrorState fault={error} onRetry={() => void refetch()} />
        ) : (
          <Loader aria-label={strings.common.loading} />
        )}
      </Center>
    </main>
  );
}
