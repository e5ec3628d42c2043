/** The simple durable floor: bare HTTP, and one row committed for each request. */
import { Pool } from 'pg';
import { readJson, serve } from '../child.js';
import { acknowledge } from './acknowledge.js';

/** It has as many connections as a process of the service by default. */
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 12 });
const INSERT = {
  name: 'insert',
  text: 'INSERT INTO floor_messages (messaging_account_id, phone, data) VALUES ($1, $2, $3) RETURNING id',
};

await pool.query(`
  CREATE TABLE IF NOT EXISTS floor_messages (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    messaging_account_id text NOT NULL,
    phone text NOT NULL,
    data jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`);
await pool.query('TRUNCATE floor_messages');

serve((request, response) =>
  readJson(request, (body) => {
    const { messaging_account_id, phone, data } = body as Record<string, unknown>;
    pool.query<{ id: string }>({ ...INSERT, values: [messaging_account_id, phone, data] }).then(
      ({ rows }) => acknowledge(response, Number(rows[0]?.id)),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  }),
);
