import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useTemporaryFolder } from '../../test/support/temporary-folder.js';
import { lockDataDir, lockHolder } from './lock.js';

const folder = useTemporaryFolder();

describe('lockDataDir', () => {
  it('gives the lock to one process at a time', async () => {
    const unlock = await lockDataDir(folder());
    expect(await lockHolder(folder())).toBe(process.pid);
    await expect(lockDataDir(folder())).rejects.toThrow(`in use by process ${process.pid}: stop that first`);
    unlock();
    expect(await lockHolder(folder())).toBeUndefined();
    (await lockDataDir(folder()))();
  });

  it.each([
    ['of a process that is gone', JSON.stringify({ pid: 2 ** 22 + 1, started: '1' })],
    ['of a process whose id another has now', JSON.stringify({ pid: process.pid, started: 'earlier' })],
    ['that is not readable', '{'],
  ])('takes over a lock %s', async (_, text) => {
    await writeFile(join(folder(), 'lock.7'), text);
    expect(await lockHolder(folder())).toBeUndefined();
    await lockDataDir(folder());
    expect(await lockHolder(folder())).toBe(process.pid);
    expect(await readdir(folder())).toEqual(['lock.8']);
  });

  it('gives a lock that a dead process left behind to one of many starts', async () => {
    for (let round = 0; round < 50; round++) {
      await writeFile(join(folder(), 'lock.1'), 'left behind');
      const starts = await Promise.allSettled(Array.from({ length: 32 }, () => lockDataDir(folder())));
      expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const name of await readdir(folder())) await rm(join(folder(), name));
    }
  });
});
