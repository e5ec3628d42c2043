import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useTemporaryFolder } from '../../test/support/temporary-folder.js';
import { loadSecrets } from './secrets.js';

const folder = useTemporaryFolder();
const file = () => join(folder(), 'secrets.json');

describe('loadSecrets', () => {
  it('generates each secret once', async () => {
    const secrets = await loadSecrets(folder());
    expect(Buffer.from(secrets.encryptionKey, 'base64')).toHaveLength(32);
    expect(secrets.demoApiKey).toMatch(/^tms_[A-Za-z0-9]{40}$/);
    expect(await loadSecrets(folder())).toEqual(secrets);
  });

  it('keeps the secrets from other users', async () => {
    await loadSecrets(folder());
    expect((await stat(file())).mode & 0o777).toBe(0o600);
  });

  it('adds what an older file lacks and keeps the rest', async () => {
    await writeFile(file(), JSON.stringify({ encryptionKey: 'kept', other: 'kept too' }));
    const secrets = await loadSecrets(folder());
    expect(secrets).toMatchObject({ encryptionKey: 'kept', other: 'kept too' });
    expect(secrets.databasePassword).toMatch(/^[0-9a-f]{32}$/);
    expect(JSON.parse(await readFile(file(), 'utf8'))).toEqual(secrets);
  });

  it('says what to do about a broken file', async () => {
    await writeFile(file(), '{"encryptionKey": ');
    await expect(loadSecrets(folder())).rejects.toThrow(/secrets\.json is not valid JSON: mend it/);
  });
});
