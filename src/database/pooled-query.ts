import pg from 'pg';

/** The server only follows another one, and may lag: nothing it says may decide anything. */
export class StandbyError extends Error {
  /** The SQLSTATE with which it refuses to write. */
  readonly code = '25006';

  constructor() {
    super('The server is a standby');
  }
}

/** What pg's own class does with the messages of a statement; its types leave this out. */
interface Submittable {
  name?: string;
  callback?: (error: Error | null, result: unknown) => void;
  prepare(connection: pg.Connection): void;
  handleDataRow(message: { fields: (string | null)[] }): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
  handleReadyForQuery(connection: pg.Connection): void;
  handleError(error: Error, connection: pg.Connection): void;
}

const PgQuery = pg.Query as unknown as new (config: pg.QueryConfig, values?: unknown) => Submittable;

/** The part of pg's connection that writes messages of the extended protocol. */
interface Wire {
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string }): void;
  execute(message: { portal: string }): void;
  parsedStatements: Record<string, string>;
}

/** PostgreSQL's settings, by their names; each value is one of ours. */
export type Settings = Record<string, string>;

/**
 * The statement by which a transaction takes settings, for itself alone. It tells whether the server is a standby, as a
 * pooler may go from one server to another between two transactions.
 */
export function settingStatement(settings: Settings): string {
  const each = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return `SELECT ${['pg_is_in_recovery()', ...each].join(', ')}`;
}

/**
 * A statement through a connection pooler, where no setting of a session lasts: the first of each transaction has the
 * settings before it, on the same way to the server, which takes both as one transaction.
 */
export class PooledQuery extends PgQuery {
  private areSet = true;
  /** Whatever else a standby answers does not count. */
  private standby: StandbyError | undefined;

  /**
   * @param setting the {@link settingStatement}
   * @param isWithin tells whether a transaction is under way when the statement is sent
   */
  constructor(
    config: pg.QueryConfig,
    private readonly setting: string,
    private readonly isWithin: () => boolean,
  ) {
    super({ ...config, queryMode: 'extended' } as pg.QueryConfig);
  }

  override prepare(connection: pg.Connection): void {
    this.areSet = this.isWithin();
    if (!this.areSet) {
      const wire = connection as unknown as Wire;
      wire.parse({ name: '', text: this.setting });
      wire.bind({ statement: '' });
      wire.execute({ portal: '' });
    }
    super.prepare(connection);
  }

  override handleDataRow(message: { fields: (string | null)[] }): void {
    if (this.areSet) return super.handleDataRow(message);
    if (message.fields[0] === 't') this.standby = new StandbyError();
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.areSet) return super.handleCommandComplete(message, connection);
    this.areSet = true;
  }

  override handleReadyForQuery(connection: pg.Connection): void {
    if (this.standby) this.handleError(this.standby, connection);
    else super.handleReadyForQuery(connection);
  }

  override handleError(error: Error, connection: pg.Connection): void {
    // pg took the answer to the setting for that of the statement, which the server has not prepared.
    if (!this.areSet && this.name) delete (connection as unknown as Wire).parsedStatements[this.name];
    super.handleError(this.standby ?? error, connection);
  }
}
