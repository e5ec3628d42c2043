import { AppShell, Burger, Group, useMatches } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect } from 'react';
import { Outlet } from 'react-router';
import { recheckSession } from '../api/session';
import { strings } from '../strings';
import { AlertBell } from './alert-bell';
import { Brand } from './brand';
import { ClockNotice } from './clock-notice';
import { ConnectionBanner } from './connection-banner';
import { Navigation } from './navigation';
import { ProxyNotice } from './proxy-notice';
import { SessionGoneDialog } from './session-gone-dialog';
import classes from './shell.module.css';
import { UserMenu } from './user-menu';

const HEADER_HEIGHT = 56;

/** The frame of all pages but the login: header, navigation (behind a burger on narrow screens) and the page itself. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const isNarrow = useMatches({ base: true, md: false });
  useRecheckedSession();

  return (
    <>
      <a href="#content" className={classes.skip}>
        {strings.shell.skipToContent}
      </a>
      <AppShell
        header={{ height: HEADER_HEIGHT }}
        navbar={{ width: 240, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
        padding={{ base: 'md', md: 'xl' }}
      >
        <AppShell.Header className={classes.header}>
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-expanded={isOpen}
              aria-label={isOpen ? strings.shell.closeNavigation : strings.shell.openNavigation}
            />
            <Brand />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <AlertBell />
            <UserMenu />
          </Group>
        </AppShell.Header>
        <AppShell.Navbar
          inert={isNarrow && !isOpen}
          aria-label={strings.shell.navigation}
          className={classes.navbar}
        >
          <Navigation onNavigate={close} />
        </AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
          <ConnectionBanner />
          <div className={classes.page}>
            <ClockNotice />
            <ProxyNotice />
            <Outlet />
          </div>
        </AppShell.Main>
      </AppShell>
      <SessionGoneDialog />
    </>
  );
}

function useRecheckedSession(): void {
  useEffect(() => {
    const recheck = () => {
      // A failure means a lost connection, which the banner shows; the next call fails in the same way.
      recheckSession().catch(() => undefined);
    };
    window.addEventListener('focus', recheck);
    return () => window.removeEventListener('focus', recheck);
  }, []);
}
