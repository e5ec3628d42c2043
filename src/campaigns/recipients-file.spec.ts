import { describe, expect, it } from '@jest/globals';
import '../../test/support/matchers.js';
import { ApiError } from '../common/errors.js';
import { type FileRow, MAX_FILE_ROWS, readRecipientsFile } from './recipients-file.js';

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(file: string | Uint8Array, size = 7): Promise<FileRow[]> {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  const rows: FileRow[] = [];
  for await (const row of readRecipientsFile(inPieces(bytes, size))) rows.push(row);
  return rows;
}
const cellsOf = async (file: string | Uint8Array) => (await read(file)).map(({ cells }) => cells);
const faultOf = async (file: string | Uint8Array, size?: number) => {
  const error = await read(file, size).then(
    () => null,
    (fault: unknown) => fault,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
};
const lineOf = async (file: string | Uint8Array) => (await faultOf(file)).details[0]?.['line'];

describe('A file of recipients', () => {
  it.each([
    ['commas', 'phone,name\n1,Amal\n'],
    ['semicolons', 'phone;name\n1;Amal\n'],
    ['tabs', 'phone\tname\n1\tAmal'],
    ['a byte order mark', '\uFEFFphone,name\n1,Amal'],
    ['the line ends of Windows', 'phone,name\r\n1,Amal\r\n'],
    ['quotes', '"phone","name"\n"1","Amal"'],
    ['blanks around', ' phone , name \n 1 , Amal '],
    ['empty lines', '\nphone,name\n\n1,Amal\n\n,\n'],
  ])('is read with %s', async (_what, file) => {
    expect(await cellsOf(file)).toEqual([
      ['phone', 'name'],
      ['1', 'Amal'],
    ]);
  });

  it('may have delimiters, quotes and line ends within quotes, and any letters', async () => {
    expect(await cellsOf('phone;name\n1;"a;""b""\nc"\n2;أمل 🚚')).toEqual([
      ['phone', 'name'],
      ['1', 'a;"b"\nc'],
      ['2', 'أمل 🚚'],
    ]);
  });

  it('may have other delimiters within the quotes of its header', async () => {
    expect((await cellsOf('"a,b,c,d";phone\n1;2'))[0]).toEqual(['a,b,c,d', 'phone']);
  });

  it('counts its rows as a spreadsheet does', async () => {
    expect((await read('phone,name\n1,a\n\n2,b\n,\n3,c')).map(({ row }) => row)).toEqual([1, 2, 4, 6]);
  });

  it('loses the apostrophe before a plus, which an export adds', async () => {
    expect((await cellsOf("phone,name\n'+1202,'tis"))[1]).toEqual(['+1202', "'tis"]);
  });

  it('gets a name for each column', async () => {
    expect((await cellsOf('phone,,phone,phone\n1,2,3,4'))[0]).toEqual([
      'phone',
      'Column 2',
      'phone (2)',
      'phone (3)',
    ]);
  });
});

describe('A broken file', () => {
  it('is refused with the line', async () => {
    expect(await lineOf('phone,name\n1,a\n2\n3,c')).toBe(3);
    expect(await lineOf('phone,name\n1,"a\n')).toBeGreaterThan(1);
    expect(await lineOf('phone,name\n1,"a"b\n')).toBe(2);
    expect(await lineOf(Buffer.from('phone,name\n1,a\n2,M\xfcller\n', 'latin1'))).toBe(3);
    expect(await lineOf('phone\n1\n\0\n')).toBe(3);
  });

  it.each([
    ['empty', ''],
    ['a header only', 'phone,name\n'],
    ['a workbook', 'PK\u0003\u0004 and more'],
  ])('is refused at its first line when it is %s', async (_what, file) => {
    expect(await lineOf(file)).toBe(1);
  });

  it('is refused when it has too many rows or bytes', async () => {
    const rows = `phone\n${'1\n'.repeat(MAX_FILE_ROWS + 1)}`;
    expect((await faultOf(rows, 65_536)).message).toContain('100000 recipients at most');
    const bytes = `phone\n${`${'1'.repeat(999)}\n`.repeat(20_001)}`;
    expect((await faultOf(bytes, bytes.length)).code).toBe('PAYLOAD_TOO_LARGE');
  });
});
