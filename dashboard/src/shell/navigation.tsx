import { Anchor, Group, NavLink, ScrollArea, Text } from '@mantine/core';
import { NavLink as RouterNavLink } from 'react-router';
import { useService } from '../api/session';
import { strings } from '../strings';
import { mainLinks, type NavLinkEntry, settingsLinks } from './nav-links';
import classes from './navigation.module.css';

/** The links to all pages; the link to the present page is marked, also for screen readers (aria-current). */
export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  return (
    <>
      <ScrollArea className={classes.scroll} type="auto">
        <Links entries={mainLinks} onNavigate={onNavigate} />
        <Text id="nav-settings" className={classes.group} c="dimmed" size="xs" fw={600}>
          {strings.shell.nav.settings}
        </Text>
        <Links entries={settingsLinks} labelledBy="nav-settings" onNavigate={onNavigate} />
      </ScrollArea>
      <Footer />
    </>
  );
}

/** Which version runs, and where its API is described. */
function Footer() {
  return (
    <Group className={classes.footer} justify="space-between" gap="xs">
      <Text size="xs" c="dimmed">
        {strings.shell.version(useService().version)}
      </Text>
      <Anchor href="/docs" target="_blank" rel="noreferrer" size="xs">
        {strings.shell.apiDocs}
      </Anchor>
    </Group>
  );
}

interface LinksProps {
  entries: readonly NavLinkEntry[];
  labelledBy?: string;
  onNavigate: () => void;
}

function Links({ entries, labelledBy, onNavigate }: LinksProps) {
  return (
    <ul className={classes.list} aria-labelledby={labelledBy}>
      {entries.map(({ to, label, icon: Icon }) => (
        <li key={to}>
          <NavLink
            component={RouterNavLink}
            to={to}
            end={to === '/'}
            label={label}
            leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
            className={classes.link}
            onClick={onNavigate}
          />
        </li>
      ))}
    </ul>
  );
}
