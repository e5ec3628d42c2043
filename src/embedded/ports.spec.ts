import { once } from 'node:events';
import { createServer } from 'node:net';
import { useTemporaryFolder } from '../../test/support/temporary-folder.js';
import { keptPort, readPorts } from './ports.js';

const folder = useTemporaryFolder();

describe('keptPort', () => {
  it('keeps the port of each service', async () => {
    const said: string[] = [];
    const postgres = await keptPort(folder(), 'postgres', (line) => said.push(line));
    const redis = await keptPort(folder(), 'redis', (line) => said.push(line));
    expect(await keptPort(folder(), 'postgres', (line) => said.push(line))).toBe(postgres);
    expect(await readPorts(folder())).toEqual({ postgres, redis });
    expect(said).toEqual([]);
  });

  it('takes another port when another program uses the kept one, and says so', async () => {
    const said: string[] = [];
    const port = await keptPort(folder(), 'redis', (line) => said.push(line));
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    const other = await keptPort(folder(), 'redis', (line) => said.push(line));
    expect(other).not.toBe(port);
    expect(said).toEqual([`Port ${port} of redis is in use by another program; it is ${other} from now on`]);
    server.close();
  });
});
