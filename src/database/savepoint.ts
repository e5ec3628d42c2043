import type { Queryable, Statement } from './database.js';

const SET: Statement = { name: '', text: 'SAVEPOINT part' };
const RELEASE: Statement = { name: '', text: 'RELEASE SAVEPOINT part' };
const ROLL_BACK: Statement = { name: '', text: 'ROLLBACK TO SAVEPOINT part' };

/** Does a part of a transaction. If it fails, the transaction can go on without it. @throws what the part throws */
export async function inSavepoint<Result>(
  connection: Queryable,
  work: () => Promise<Result>,
): Promise<Result> {
  await connection.run(SET);
  try {
    const result = await work();
    await connection.run(RELEASE);
    return result;
  } catch (error) {
    await connection.run(ROLL_BACK);
    await connection.run(RELEASE);
    throw error;
  }
}
