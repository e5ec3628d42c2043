import { IconFileText, IconMapPin, IconPhoto, IconPlayerPlayFilled, IconVideo } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { preview as texts } from '../strings/preview';
import { PlainText } from './formatted-text';
import classes from './message-header.module.css';
import type { RenderedHeader } from '../../../src/templates/domain/render-message';

/** The header above the body: a bold line, a medium or a location. */
export function MessageHeader({ header }: { header: RenderedHeader }): ReactNode {
  switch (header.kind) {
    case 'text':
      return (
        <p className={classes.text} dir="auto">
          <PlainText text={header.text} />
        </p>
      );
    case 'document':
      return (
        <div className={classes.document}>
          <IconFileText size={28} stroke={1.5} aria-hidden />
          <span dir="auto">{header.fileName ?? texts.noFileName}</span>
        </div>
      );
    case 'location':
      return <Location name={header.name} address={header.address} />;
    default:
      // By the key, a new address is loaded again after a failure.
      return <Medium key={header.url} kind={header.kind} url={header.url} />;
  }
}

/** The image or video, or a placeholder when there is none or it cannot be loaded. */
function Medium({ kind, url }: { kind: 'image' | 'video'; url: string | null }) {
  const [isBroken, setIsBroken] = useState(false);
  const onError = () => setIsBroken(true);
  if (url === null || isBroken) {
    const Icon = kind === 'image' ? IconPhoto : IconVideo;
    return (
      <div className={classes.placeholder}>
        <Icon size={40} stroke={1.25} aria-hidden />
        <span>{texts.media[kind]}</span>
      </div>
    );
  }
  if (kind === 'image')
    return <img className={classes.media} src={url} alt={texts.media.image} onError={onError} />;
  return (
    <div className={classes.video}>
      <video
        className={classes.media}
        src={url}
        aria-label={texts.media.video}
        preload="metadata"
        muted
        playsInline
        onError={onError}
      />
      <span className={classes.play}>
        <IconPlayerPlayFilled size={22} aria-hidden />
      </span>
    </div>
  );
}

function Location({ name, address }: { name: string | null; address: string | null }) {
  return (
    <div className={classes.location}>
      <div className={classes.placeholder}>
        <IconMapPin size={40} stroke={1.25} aria-hidden />
        {name === null && address === null && <span>{texts.media.location}</span>}
      </div>
      {(name !== null || address !== null) && (
        <p className={classes.place} dir="auto">
          {name !== null && <strong>{name}</strong>}
          {address !== null && <span>{address}</span>}
        </p>
      )}
    </div>
  );
}
