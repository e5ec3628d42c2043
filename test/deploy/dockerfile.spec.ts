import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DockerfileParser, type From, type JSONInstruction } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';

const text = readFileSync('Dockerfile', 'utf8');
const dockerfile = DockerfileParser.parse(text);
const instructions = dockerfile.getInstructions();
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

const of = (keyword: string) => instructions.filter((one) => one.getKeyword() === keyword);
const words = (keyword: string) =>
  of(keyword).map((one) => one.getArguments().map((argument) => argument.getValue()));
const exec = (instruction: JSONInstruction | undefined) =>
  instruction?.getJSONStrings().map((word) => JSON.parse(word.getValue()) as string);

/** What the builder gets of this folder: .dockerignore leaves out all and names the exceptions. */
const sent = readFileSync('.dockerignore', 'utf8')
  .split('\n')
  .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));

describe('The Dockerfile', () => {
  it('has no fault that a linter knows', () => {
    expect(
      validate(text, { deprecatedMaintainer: 2, emptyContinuationLine: 2, instructionCasing: 2 }),
    ).toEqual([]);
    for (const keyword of ['ADD', 'MAINTAINER', 'ONBUILD', 'ARG']) expect(of(keyword)).toEqual([]);
    for (const line of words('RUN').map((each) => each.join(' '))) {
      expect(line).not.toMatch(/\b(sudo|curl|wget|apt|npm i|npm install|npx|chmod 777|cd) /);
      expect(line).not.toMatch(/apt-get (?!.*--no-install-recommends.*rm -rf \/var\/lib\/apt\/lists)/);
    }
    for (const [folder] of words('WORKDIR')) expect(folder).toMatch(/^\//);
  });

  it('begins with images of a fixed release of Debian and Node.js', () => {
    const images = dockerfile.getFROMs().map((from: From) => from.getImage());
    expect(new Set(images)).toEqual(new Set(['node:20-bookworm-slim', 'debian:bookworm-slim']));
  });

  it('runs as a user by number who is not root, from then on', () => {
    const users = words('USER').flat();
    expect(users).toEqual(['1000:1000']);
    const after = instructions.slice(instructions.findIndex((one) => one.getKeyword() === 'USER') + 1);
    expect(after.map((one) => one.getKeyword())).toEqual(['EXPOSE', 'HEALTHCHECK', 'CMD']);
  });

  it('runs what "npm run start:prod" runs', () => {
    expect(`exec ${exec(dockerfile.getCMDs()[0])?.join(' ')}`).toBe(scripts['start:prod']);
  });

  it('has a health check that is in the image', () => {
    const [check] = dockerfile.getHEALTHCHECKs();
    const [, file = ''] = /CMD \["node", "(.+)"\]/.exec(check?.getArgumentsContent() ?? '') ?? [];
    expect(words('COPY').map((each) => each[0])).toContain(file);
    expect(existsSync(file)).toBe(true);
  });

  it('copies what exists and what the builder gets', () => {
    const copied = dockerfile
      .getCOPYs()
      .filter((one) => !one.getFromFlag())
      .flatMap((one) =>
        one
          .getArguments()
          .slice(0, -1)
          .map((argument) => argument.getValue()),
      );
    expect(copied.length).toBeGreaterThan(5);
    for (const path of copied) {
      expect({ path, exists: existsSync(path) }).toEqual({ path, exists: true });
      expect(sent).toContain(path.split('/')[0]);
    }
  });

  it('is never sent what is secret or made here', () => {
    const first = readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .find((line) => !line.startsWith('#'));
    expect(first).toBe('*');
    for (const name of ['.env', '.data', '.git', 'dist', 'node_modules', 'test'])
      expect(sent).not.toContain(name);
  });
});
