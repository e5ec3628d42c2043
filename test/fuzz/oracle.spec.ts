import { describe, expect, it } from '@jest/globals';
import { SECRETS } from '../support/service.js';
import { documentationFaults, type Operation, OPERATIONS } from './documented-api.js';
import { envelopeFaults } from './oracle.js';
import type { FuzzAnswer, FuzzRequest } from './request.js';

const REQUEST: FuzzRequest = { method: 'GET', path: '/api/v1/templates', headers: {} };
const LIST = OPERATIONS.find(({ operationId }) => operationId === 'listTemplates') as Operation;

function answer(status: number, body: object, headers: object = {}): FuzzAnswer {
  const type = 'application/json; charset=utf-8';
  const all = { 'content-type': type, 'x-request-id': 'mine', ...headers };
  return { status, headers: all, text: JSON.stringify(body), json: body };
}

function refusal(status: number, error: object = {}, others: object = {}): FuzzAnswer {
  const whole = { code: 'VALIDATION_FAILED', message: 'No.', details: [], ...error };
  return answer(status, { success: false, error: whole, request_id: 'mine', ...others });
}

const success = (data: unknown) => answer(200, { success: true, data });

describe('The oracle', () => {
  it('finds no fault in correct answers', () => {
    expect(envelopeFaults(REQUEST, refusal(400))).toEqual([]);
    expect(envelopeFaults(REQUEST, success([]))).toEqual([]);
    expect(documentationFaults(LIST, REQUEST, refusal(400))).toEqual([]);
    expect(documentationFaults(LIST, REQUEST, success([]))).toEqual([]);
  });

  it.each<[string, FuzzAnswer]>([
    ['a fault of the service', refusal(500, { code: 'INTERNAL_ERROR' })],
    ['a closed connection', { status: 0, headers: {}, text: 'read ECONNRESET', json: undefined }],
    ['a page', { ...refusal(404), json: undefined }],
    ['a success without data', answer(200, { success: true })],
    ['a code with another status', refusal(404)],
    ['a code that does not exist', refusal(400, { code: 'OOPS' })],
    ['a field beside the envelope', refusal(400, {}, { stack: '' })],
    ['no details', refusal(400, { details: null })],
    ['another request id', refusal(400, {}, { request_id: 'yours' })],
    ['too many requests, for how long it does not say', refusal(429, { code: 'RATE_LIMITED' })],
    ['a stack trace', refusal(400, { message: 'Error\n at Object.run (file)' })],
    ['words of PostgreSQL', refusal(400, { message: 'invalid input syntax for type bigint' })],
    ['a secret', success([{ token: SECRETS.sandboxAccessToken }])],
  ])('finds %s', (_what, wrong) => {
    expect(envelopeFaults(REQUEST, wrong)).not.toEqual([]);
  });

  it('finds that a caller’s own request id is lost', () => {
    const request = { ...REQUEST, headers: { 'X-Request-Id': 'yours' } };
    expect(envelopeFaults(request, success([]))).not.toEqual([]);
  });

  it.each<[string, FuzzAnswer]>([
    ['a status that is not documented', refusal(422, { code: 'INVALID_PHONE' })],
    ['a code that is not documented with its status', refusal(404, { code: 'MESSAGE_NOT_FOUND' })],
    ['a field that is not documented', success([{ id: 1 }])],
    ['data of another type', success({})],
  ])('finds %s', (_what, wrong) => {
    expect(documentationFaults(LIST, REQUEST, wrong)).not.toEqual([]);
  });
});
