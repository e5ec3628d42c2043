const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;

/** "1 d 2 h 5 min" */
function duration(milliseconds: number): string {
  const parts: [number, string][] = [
    [Math.floor(milliseconds / DAY), 'd'],
    [Math.floor((milliseconds % DAY) / HOUR), 'h'],
    [Math.floor((milliseconds % HOUR) / MINUTE), 'min'],
  ];
  const shown = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
  return shown.join(' ') || '1 min';
}

/** Texts of the frame around all pages. */
export const shell = {
  skipToContent: 'Skip to content',
  openNavigation: 'Open navigation',
  closeNavigation: 'Close navigation',
  navigation: 'Main',
  nav: {
    overview: 'Overview',
    templates: 'Templates',
    send: 'Send',
    messages: 'Sent messages',
    campaigns: 'Campaigns',
    numbers: 'Numbers',
    optOuts: 'Opt-outs',
    settings: 'Settings',
    apiKeys: 'API keys',
    endpoints: 'Webhook endpoints',
    users: 'Users',
    spendLimits: 'Spending limits',
    rateCard: 'Rate card',
    auditLog: 'Audit log',
  },
  alerts: (unread: number) => (unread === 0 ? 'Alerts, none unread' : `Alerts, ${unread} unread`),
  version: (version: string) => `Version ${version}`,
  apiDocs: 'API docs',
  roles: { viewer: 'Viewer', editor: 'Editor', owner: 'Owner' },
  operator: 'Operator',
  userMenu: (email: string) => `Account of ${email}`,
  colorScheme: 'Colours',
  colorSchemes: { light: 'Light', dark: 'Dark', auto: 'As the system' },
  direction: 'Layout',
  directions: { ltr: 'Left to right', rtl: 'Right to left' },
  changePassword: 'Change password',
  secondFactor: 'Two-step sign-in',
  signOut: 'Sign out',
  signOutEverywhere: 'Sign out everywhere',
  signOutEverywhereMessage:
    'Every browser and device where you are signed in will ask for your password again.',
  proxy: {
    titles: {
      untrusted: 'The service does not believe the proxy in front of it',
      says_https: 'This page came over plain HTTP, but the proxy says HTTPS',
      hides_https: 'This page came over HTTPS, but the proxy does not say so',
    },
    hints: {
      untrusted:
        'For the service, everybody behind the proxy has the same address, so that limits for failed sign-ins and API ' +
        'keys hit all of them together. Set TRUSTED_PROXIES to the number of proxies in front of the service, and ' +
        'restart it.',
      says_https:
        'Your password and your session can be read on the way. Open this page by https://, and have the proxy send the ' +
        'true scheme in X-Forwarded-Proto.',
      hides_https:
        'Have the proxy send X-Forwarded-Proto: https, and see that TRUSTED_PROXIES is the number of proxies in front of ' +
        'the service.',
    },
  },
  clock: {
    title: (ahead: number) => `The clock of the sandbox is ${duration(ahead)} ahead`,
    shows: (time: string) => `It shows ${time}.`,
  },
  unreachable: 'Cannot reach the server. Trying again…',
  sessionGone: {
    title: 'Your session has ended',
    message: 'Sign in again to go on where you were. Nothing you typed is lost.',
    signIn: 'Sign in',
    someoneElse: 'Sign in as someone else',
  },
  notFound: {
    title: 'There is nothing here',
    message: 'The address may be mistyped, or what it showed is gone.',
    home: 'Go to the overview',
  },
  crash: {
    title: 'This page has a fault',
    message: 'The rest works. Reload the page; a new version may have been installed meanwhile.',
  },
};
