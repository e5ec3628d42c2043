import { loginPath, targetOf } from './login-path';

const targetAfter = (to: string) => targetOf(new URLSearchParams({ to }));

describe('the login page', () => {
  it('leads back to the page that was asked for, with its query', () => {
    const [, search] = loginPath('/messages?status=failed').split('?');
    expect(targetOf(new URLSearchParams(search))).toBe('/messages?status=failed');
  });

  it('leads to the overview when no other page was asked for', () => {
    expect(loginPath('/')).toBe('/login');
    expect(targetOf(new URLSearchParams())).toBe('/');
  });

  it.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', ''])(
    'never leads to another site: %s',
    (to) => {
      expect(targetAfter(to)).toBe('/');
    },
  );
});
