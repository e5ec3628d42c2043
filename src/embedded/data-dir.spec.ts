import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useTemporaryFolder } from '../../test/support/temporary-folder.js';
import { prepareDataDir } from './data-dir.js';

const folder = useTemporaryFolder();

describe('prepareDataDir', () => {
  it('creates the folder so that other users may pass through it, no more', async () => {
    const dataDir = await prepareDataDir(join(folder(), 'a', 'b'));
    expect((await stat(dataDir)).mode & 0o777).toBe(0o711);
  });

  it('says what to do when the folder cannot be written', async () => {
    await writeFile(join(folder(), 'file'), '');
    await expect(prepareDataDir(join(folder(), 'file', 'data'))).rejects.toThrow(
      /cannot be written \(a file is in the way\): .* or set DATA_DIR to a folder that can be written/,
    );
  });
});
