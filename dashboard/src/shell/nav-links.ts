import {
  IconSpeakerphone,
  IconChartBar,
  IconDeviceMobile,
  IconHistory,
  IconKey,
  IconMessageOff,
  IconMessages,
  IconReceipt,
  IconSend,
  IconTemplate,
  IconUsers,
  IconWallet,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react';
import { strings } from '../strings';

export interface NavLinkEntry {
  to: string;
  label: string;
  icon: TablerIcon;
}

const { nav } = strings.shell;

export const mainLinks: readonly NavLinkEntry[] = [
  { to: '/', label: nav.overview, icon: IconChartBar },
  { to: '/templates', label: nav.templates, icon: IconTemplate },
  { to: '/send', label: nav.send, icon: IconSend },
  { to: '/campaigns', label: nav.campaigns, icon: IconSpeakerphone },
  { to: '/messages', label: nav.messages, icon: IconMessages },
  { to: '/opt-outs', label: nav.optOuts, icon: IconMessageOff },
  { to: '/numbers', label: nav.numbers, icon: IconDeviceMobile },
];

export const settingsLinks: readonly NavLinkEntry[] = [
  { to: '/settings/api-keys', label: nav.apiKeys, icon: IconKey },
  { to: '/settings/webhook-endpoints', label: nav.endpoints, icon: IconWebhook },
  { to: '/settings/users', label: nav.users, icon: IconUsers },
  { to: '/settings/spend-limits', label: nav.spendLimits, icon: IconWallet },
  { to: '/settings/rate-card', label: nav.rateCard, icon: IconReceipt },
  { to: '/settings/audit-log', label: nav.auditLog, icon: IconHistory },
];
