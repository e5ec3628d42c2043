import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;

interface Key {
  /** The first 8 hex digits of the key's SHA-256: identifies the key without revealing it. */
  id: string;
  bytes: Buffer;
}

/**
 * Encrypts tokens and secrets at rest, as `v1.<key id>.<iv>.<tag>.<ciphertext>` in base64url. ENCRYPTION_KEY may list
 * several keys: the first encrypts, all decrypt, so that a key can be rotated.
 */
@Injectable()
export class SecretBox {
  private readonly keys: Key[];

  constructor(config: Config) {
    this.keys = config.ENCRYPTION_KEY.split(',').map((text) => {
      const bytes = Buffer.from(text, 'base64');
      return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
    });
  }

  seal(secret: string): string {
    const key = this.keys[0] as Key;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, key.bytes, iv);
    const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    const parts = [iv, cipher.getAuthTag(), ciphertext].map((part) => part.toString('base64url'));
    return ['v1', key.id, ...parts].join('.');
  }

  /** @throws Error when no configured key fits or the text was altered */
  open(sealed: string): string {
    const [version, keyId, ...parts] = sealed.split('.');
    const key = this.keys.find((candidate) => candidate.id === keyId);
    if (version !== 'v1' || !key || parts.length !== 3) {
      throw new Error(
        'A stored secret was encrypted with a key that is not in ENCRYPTION_KEY; add that key to the list',
      );
    }
    const [iv, tag, ciphertext] = parts.map((part) => Buffer.from(part, 'base64url')) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    const decipher = createDecipheriv(ALGORITHM, key.bytes, iv);
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
  }

  /** Whether it was sealed with an older key and should be sealed again. */
  isOutdated(sealed: string): boolean {
    return sealed.split('.')[1] !== this.keys[0]?.id;
  }
}
