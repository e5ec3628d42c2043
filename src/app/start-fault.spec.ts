import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { explainStartFault } from './start-fault.js';

/** How Node refuses to listen there. */
async function refusal(server: Server): Promise<Error> {
  const [error] = await once(server, 'error');
  return error as Error;
}

describe('A start that fails', () => {
  it('says which variable has to name another port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const error = await refusal(createServer().listen(port, '127.0.0.1'));
    other.close();
    expect(explainStartFault(error)).toMatch(`Port ${port} is in use: `);
    expect(explainStartFault(error)).toMatch(' PORT=3001 ');
    const ofMetrics = Object.assign(error, { variable: 'METRICS_PORT' });
    expect(explainStartFault(ofMetrics)).toMatch(' METRICS_PORT=3001 ');
  });

  it('says that this machine has no such address', async () => {
    const error = await refusal(createServer().listen(0, '192.0.2.1'));
    expect(explainStartFault(error)).toContain('no address 192.0.2.1');
  });

  it('shows where any other fault comes from', () => {
    expect(explainStartFault(new Error('so'))).toContain('start-fault.spec');
    expect(explainStartFault('so')).toBe('so');
  });
});
