import type { ReactNode } from 'react';

interface ScrollRegionProps {
  /** What is in it. */
  label: string;
  /** The class that makes it scroll. */
  className: string | undefined;
  children: ReactNode;
}

/** A part of the page that scrolls by itself, by keyboard too. */
export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- only what has the focus scrolls by keyboard
    <div className={className} role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
