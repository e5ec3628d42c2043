/** The login page, which leads back to where one wanted to go: `/login?to=/templates`. */
export function loginPath(to = '/'): string {
  return to === '/' ? '/login' : `/login?${new URLSearchParams({ to })}`;
}

/** Where a login leads: a path of the page only, never another site. */
export function targetOf(search: URLSearchParams): string {
  const to = search.get('to') ?? '/';
  return to.startsWith('/') && !/^\/[/\\]/.test(to) ? to : '/';
}
