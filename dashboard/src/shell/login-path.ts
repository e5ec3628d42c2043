/** The path of the login page, which leads back to the page that was asked for: `/login?to=/templates`. */
export function loginPath(to = '/'): string {
  return to === '/' ? '/login' : `/login?${new URLSearchParams({ to })}`;
}

/** The path to which a login leads: always one of the dashboard, never another site. */
export function targetOf(search: URLSearchParams): string {
  const to = search.get('to') ?? '/';
  return to.startsWith('/') && !/^\/[/\\]/.test(to) ? to : '/';
}
