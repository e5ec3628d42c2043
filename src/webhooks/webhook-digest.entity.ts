import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** That a delivery with these bytes has come: the provider repeats it for up to seven days. */
@Entity('webhook_digests')
@Index('webhook_digests_received_idx', ['receivedAt'])
export class WebhookDigest {
  /** SHA-256 of the payload. */
  @PrimaryColumn('bytea')
  digest: Buffer;

  @Column('timestamptz', { name: 'received_at' })
  receivedAt: Date;
}
