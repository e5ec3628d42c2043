import { createTheme, type CSSVariablesResolver, type MantineThemeComponent } from '@mantine/core';
import { strings } from './strings';

/** The list itself scrolls, as the keyboard cannot reach a scroll area around it. */
const listStyles: MantineThemeComponent = {
  defaultProps: { withScrollArea: false },
  styles: { options: { maxHeight: 260, overflowY: 'auto' } },
};

const closeButtonProps = { 'aria-label': strings.common.close };

/** One accent colour, a green teal; shade 7 carries white text at 5:1. */
export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 7 },
  colors: {
    brand: [
      '#eafaf6',
      '#d5f3ea',
      '#abe6d5',
      '#7cd8be',
      '#54cbaa',
      '#30b895',
      '#169b7b',
      '#0c7f66',
      '#0a6954',
      '#075443',
    ],
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  autoContrast: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans Arabic", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '1.15rem', lineHeight: '1.3' },
      h3: { fontSize: '1rem', lineHeight: '1.35' },
    },
  },
  components: {
    Select: listStyles,
    MultiSelect: listStyles,
    Autocomplete: listStyles,
    TagsInput: listStyles,
    // A menu may contain menu items only, and this placeholder is none.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Notification: { styles: { description: { color: 'var(--mantine-color-dimmed)' } } },
    Modal: { defaultProps: { closeButtonProps }, styles: { title: { fontWeight: 650 } } },
    Drawer: { defaultProps: { closeButtonProps } },
  },
});

/** Background and text of tinted badges, alerts and buttons in either scheme; each pair has at least 4.5:1. */
const TINTS = {
  brand: { light: ['#dcf3ec', '#085344'], dark: ['#103a31', '#7cd8be'] },
  green: { light: ['#dff5e9', '#0f6137'], dark: ['#143526', '#84e0ad'] },
  yellow: { light: ['#fdf0d2', '#7a4b00'], dark: ['#3d2e0a', '#f5c766'] },
  red: { light: ['#fde6e6', '#a51d1d'], dark: ['#431b1b', '#ffa8a8'] },
  blue: { light: ['#e2effc', '#13568f'], dark: ['#142f49', '#93c8f8'] },
  violet: { light: ['#ece8fc', '#5233a6'], dark: ['#2c2450', '#c1b0fa'] },
  gray: { light: ['#eceef0', '#454d55'], dark: ['#34373a', '#c9ced3'] },
} as const;

function tints(scheme: 'light' | 'dark'): Record<string, string> {
  return Object.fromEntries(
    Object.entries(TINTS).flatMap(
      ([
        name,
        {
          [scheme]: [background, text],
        },
      ]) => [
        [`--mantine-color-${name}-light`, background],
        [`--mantine-color-${name}-light-hover`, `color-mix(in srgb, ${background}, ${text} 8%)`],
        [`--mantine-color-${name}-light-color`, text],
      ],
    ),
  );
}

/** Replacements for tints, greys, reds and links of Mantine that do not reach WCAG AA. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...tints('light'),
    '--mantine-color-dimmed': '#566069',
    '--mantine-color-placeholder': '#6b747d',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-anchor': 'var(--mantine-color-brand-7)',
  },
  dark: {
    ...tints('dark'),
    '--mantine-color-dimmed': '#a6a6a6',
    '--mantine-color-placeholder': '#929292',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-anchor': 'var(--mantine-color-brand-4)',
  },
});
