import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { RateCardRow } from './domain/rate-card.js';

/** One loaded price list; the one in force is the latest whose `effectiveFrom` has come. */
@Entity('rate_cards')
@Index('rate_cards_effective_from_idx', ['effectiveFrom'])
export class RateCard {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('timestamptz', { name: 'effective_from' })
  effectiveFrom: Date;

  @Column('jsonb')
  rates: RateCardRow[];

  @CreateDateColumn({ name: 'loaded_at', type: 'timestamptz' })
  loadedAt: Date;
}
