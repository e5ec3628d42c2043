import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database/database.js';
import { type MessageTag, readTag, writeTag } from './domain/message-tag.js';

/** Writes the tags of messages, and tells ours from those of other systems that share a business account. */
@Injectable()
export class MessageTagsService {
  private installation?: Promise<string> | undefined;

  constructor(private readonly database: Database) {}

  async write(messageLogId: number): Promise<string> {
    return writeTag(await this.installationId(), messageLogId);
  }

  /** @returns null for a tag that is not ours; one without an installation may be, of a message of an older version */
  async read(text: string | null): Promise<MessageTag | null> {
    const tag = readTag(text);
    if (!tag || tag.installation === null) return tag;
    return tag.installation === (await this.installationId()) ? tag : null;
  }

  /** Never changes, so it is asked for once. */
  installationId(): Promise<string> {
    this.installation ??= this.database.run<{ id: string }>(INSTALLATION).then(
      ([row]) => row!.id,
      (error: unknown) => {
        this.installation = undefined;
        throw error;
      },
    );
    return this.installation;
  }
}

const INSTALLATION: Statement = { name: 'installation', text: 'SELECT id FROM installation' };
