import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A customer of the service; owns everything that carries a `tenant_id`. */
@Entity('tenants')
export class Tenant {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  /** Added to the provider's rates, in percent; a decimal as text. */
  @Column('numeric', { name: 'markup_percent', precision: 7, scale: 4, default: 0 })
  markupPercent: string;

  /** Texts by which a recipient opts out; null: the usual ones. */
  @Column('text', { name: 'opt_out_keywords', array: true, nullable: true })
  optOutKeywords: string[] | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
