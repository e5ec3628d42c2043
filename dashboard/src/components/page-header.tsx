import { Anchor, Group, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconChevronLeft } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { strings } from '../strings';
import classes from './page-header.module.css';

interface PageHeaderProps {
  title: string;
  description?: ReactNode;
  /** Badges beside the title. */
  badges?: ReactNode;
  /** Buttons at the end. */
  actions?: ReactNode;
  back?: { to: string; label: string };
}

/** The heading of a page: names the document and takes the focus after a navigation, so that it is read out. */
export function PageHeader({ title, description, badges, actions, back }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirstLoad = useLocation().key === 'default';
  useDocumentTitle(`${title} – ${strings.common.product}`);
  useEffect(() => {
    // A page that changes its address, such as for a drawer, must not take the focus from where the user works.
    const isBusy = document.activeElement?.closest('#content > *, [role="dialog"]');
    if (!isFirstLoad && !isBusy) heading.current?.focus({ preventScroll: true });
  }, [isFirstLoad]);

  return (
    <header className={classes.header}>
      {back && (
        <Anchor component={Link} to={back.to} size="sm" className={classes.back}>
          <IconChevronLeft size={16} className={classes.chevron} aria-hidden />
          {back.label}
        </Anchor>
      )}
      <Group justify="space-between" align="flex-start" gap="sm">
        <div className={classes.text}>
          <Group gap="xs">
            <Title order={1} ref={heading} tabIndex={-1} className={classes.title}>
              {title}
            </Title>
            {badges}
          </Group>
          {description && (
            <Text c="dimmed" mt={4} component="div">
              {description}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
    </header>
  );
}
