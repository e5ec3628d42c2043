import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useTemporaryFolder } from '../../test/support/temporary-folder.js';
import { lockDataDir, lockHolder } from './lock.js';

const folder = useTemporaryFolder();

describe('lockDataDir', () => {
  it('is for one process at a time', async () => {
    const unlock = await lockDataDir(folder());
    expect(await lockHolder(folder())).toBe(process.pid);
    await expect(lockDataDir(folder())).rejects.toThrow(`in use by process ${process.pid}: stop that first`);
    await unlock();
    expect(await lockHolder(folder())).toBeUndefined();
    await (
      await lockDataDir(folder())
    )();
  });

  it.each([
    ['of a process that is gone', JSON.stringify({ pid: 2 ** 22 + 1, started: '1' })],
    ['of a process whose id another has now', JSON.stringify({ pid: process.pid, started: 'earlier' })],
    ['that is not readable', '{'],
  ])('takes over a lock %s', async (_, text) => {
    await writeFile(join(folder(), 'lock'), text);
    expect(await lockHolder(folder())).toBeUndefined();
    const starts = await Promise.allSettled([1, 2, 3, 4].map(() => lockDataDir(folder())));
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
