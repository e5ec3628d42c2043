import { encodeQR } from 'qr';

/** Light modules around the code, without which some cameras do not find it. */
const QUIET_ZONE = 4;

interface QrCodeProps {
  value: string;
  /** What it is, for users who do not see it. */
  label: string;
}

/** A QR code as SVG, always dark on light, as cameras expect it. */
export function QrCode({ value, label }: QrCodeProps) {
  const rows = encodeQR(value, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      width={200}
      height={200}
      shapeRendering="crispEdges"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  );
}
