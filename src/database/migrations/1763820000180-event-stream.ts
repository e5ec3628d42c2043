import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The stream of what happens to what tenants own, in partitions by position from the start. The function draws a position:
 * its transaction has an id before that, which is how readers know what may still come (src/events/event-horizon.service.ts).
 */
export class EventStream1763820000180 implements MigrationInterface {
  name = 'EventStream1763820000180';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE SEQUENCE event_stream_id_seq;
      CREATE FUNCTION next_event_position() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        PERFORM pg_current_xact_id();
        RETURN nextval('event_stream_id_seq');
      END $$;
      CREATE TABLE event_stream (
        id bigint NOT NULL DEFAULT next_event_position(),
        recorded_at timestamptz NOT NULL,
        occurred_at timestamptz,
        tenant_id uuid NOT NULL,
        type text NOT NULL,
        messages bigint[],
        data jsonb,
        CONSTRAINT event_stream_pkey PRIMARY KEY (id)
      ) PARTITION BY RANGE (id);
      ALTER SEQUENCE event_stream_id_seq OWNED BY event_stream.id;
      CREATE INDEX event_stream_tenant_idx ON event_stream (tenant_id, id);
      CREATE TABLE event_stream_from_0 PARTITION OF event_stream FOR VALUES FROM (MINVALUE) TO (1000000);
      CREATE TABLE event_stream_from_1000000 PARTITION OF event_stream FOR VALUES FROM (1000000) TO (MAXVALUE);
      ALTER TABLE installation ADD events_deleted_to bigint NOT NULL DEFAULT 0;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE installation DROP events_deleted_to;
      DROP TABLE event_stream;
      DROP FUNCTION next_event_position();
    `);
  }
}
