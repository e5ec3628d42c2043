import {
  ActionIcon,
  Avatar,
  Badge,
  Menu,
  Text,
  useDirection,
  useMantineColorScheme,
  VisuallyHidden,
  type MantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLock, IconLogout, IconLogout2, IconShieldLock } from '@tabler/icons-react';
import { Link } from 'react-router';
import { notifyFault } from '../api/notify';
import { signOut, useUser } from '../api/session';
import { ConfirmDialog } from '../components/confirm';
import { strings } from '../strings';
import { type Direction, saveDirection } from './direction';

const { shell } = strings;

/** Shows the user, with the settings of the layout and the sign-out. */
export function UserMenu() {
  const user = useUser();
  const [isConfirming, confirming] = useDisclosure(false);

  return (
    <>
      <Menu position="bottom-end" width={260} closeOnItemClick={false}>
        <Menu.Target>
          <ActionIcon variant="subtle" size="lg" radius="xl">
            <VisuallyHidden>{shell.userMenu(user.email)}</VisuallyHidden>
            <Avatar size={30} color="brand" variant="filled" aria-hidden>
              {user.email.slice(0, 2).toUpperCase()}
            </Avatar>
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Whoami />
          <Menu.Divider />
          <ColorSchemes />
          <Directions />
          <Menu.Divider />
          <Menu.Item
            component={Link}
            to="/settings/password"
            closeMenuOnClick
            leftSection={<IconLock size={16} aria-hidden />}
          >
            {shell.changePassword}
          </Menu.Item>
          <Menu.Item
            component={Link}
            to="/settings/second-factor"
            closeMenuOnClick
            leftSection={<IconShieldLock size={16} aria-hidden />}
          >
            {shell.secondFactor}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconLogout size={16} aria-hidden />}
            onClick={() => void signOut().catch(notifyFault)}
          >
            {shell.signOut}
          </Menu.Item>
          <Menu.Item
            closeMenuOnClick
            leftSection={<IconLogout2 size={16} aria-hidden />}
            onClick={confirming.open}
          >
            {shell.signOutEverywhere}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={isConfirming}
        onClose={confirming.close}
        title={shell.signOutEverywhere}
        message={shell.signOutEverywhereMessage}
        confirm={shell.signOutEverywhere}
        onConfirm={() => signOut({ everywhere: true })}
      />
    </>
  );
}

function Whoami() {
  const { email, role, operator, tenant } = useUser();
  return (
    <div style={{ padding: 'var(--mantine-spacing-xs) var(--mantine-spacing-sm)' }}>
      <Text size="sm" fw={600} truncate>
        {email}
      </Text>
      <Text size="sm" c="dimmed" truncate>
        {tenant.name}
      </Text>
      <Badge mt={6} variant="default" size="sm" tt="none">
        {operator ? `${shell.roles[role]} · ${shell.operator}` : shell.roles[role]}
      </Badge>
    </div>
  );
}

function ColorSchemes() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
      <Menu.Label>{shell.colorScheme}</Menu.Label>
      {Object.entries(shell.colorSchemes).map(([value, label]) => (
        <Menu.RadioItem key={value} value={value}>
          {label}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}

function Directions() {
  const { dir, setDirection } = useDirection();
  const change = (value: string) => {
    setDirection(value as Direction);
    saveDirection(value as Direction);
  };
  return (
    <Menu.RadioGroup value={dir} onChange={change}>
      <Menu.Label>{shell.direction}</Menu.Label>
      {Object.entries(shell.directions).map(([value, label]) => (
        <Menu.RadioItem key={value} value={value}>
          {label}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
