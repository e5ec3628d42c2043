export const login = {
  title: 'Sign in',
  email: 'Email',
  password: 'Password',
  showPassword: 'Show or hide the password',
  submit: 'Sign in',
  emailMissing: 'Enter your email address.',
  passwordMissing: 'Enter your password.',
  wrong: 'Email or password is wrong.',
  code: 'Code',
  codeHint: 'The code that your app shows now, or one of your recovery codes.',
  codeMissing: 'Enter a code.',
  wrongCode: 'This is not the present code, or it was used already. Wait for the next one.',
  throttled: (seconds: number) =>
    seconds < 100
      ? `Too many tries. Try again in ${seconds} seconds.`
      : `Too many tries. Try again in ${Math.ceil(seconds / 60)} minutes.`,
  throttledSoon: 'Too many tries. Try again in a minute.',
  unreachable: 'The server cannot be reached. What you typed is kept; try again in a moment.',
  hint: 'On your own machine, “npm start” prints a demo login; it also stands in .data/sandbox.json.',
};
