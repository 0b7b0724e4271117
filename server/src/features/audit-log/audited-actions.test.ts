import type { EndpointName } from '@invigil/core/contract/endpoints';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { makeScoredQuiz, setUpAppWithAdmin } from '@invigil/testkit/factories';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';

describe('an entry', () => {
  const app = setUpAppWithAdmin();
  const actions = async () =>
    (await app.pool.query('select action from audit_entries order by at desc, id desc')).rows.map(
      ({ action }) => action,
    );
  const call = (name: EndpointName, input: object = {}) =>
    app.call(name, { as: app.admin, ...input });

  it('is left by a change of the own name', async () => {
    expect((await call('setOwnName', { body: { name: 'Ada' } })).status).toBe(200);
    expect((await actions())[0]).toBe('admin.renamed');
  });

  it('is left by an export of the statistics, which have the keys', async () => {
    const questions = ['One', 'Two'].map((text) => plainDefinition(text, ['a', 'b'], 'a'));
    const { id } = await makeScoredQuiz(app, app.admin, questions);
    const reply = await call('exportQuizStatistics', { params: { id }, query: { format: 'csv' } });
    expect(reply.status).toBe(200);
    const { rows } = await app.pool.query(
      "select subject_id from audit_entries where action = 'statistics.exported'",
    );
    expect(rows).toEqual([{ subject_id: id }]);
  });

  it('is in the transaction of its change: without it nothing is changed', async () => {
    const image = await onePixel();
    const upload = () =>
      call('uploadImage', { body: image, headers: { 'content-type': 'image/png' } });
    const rename = () => call('setOwnName', { body: { name: 'Grace' } });
    await app.pool.query(
      `alter table audit_entries add constraint refused
         check (action not in ('admin.renamed', 'image.uploaded')) not valid`,
    );
    expect([(await upload()).status, (await rename()).status]).toEqual([500, 500]);
    expect((await app.pool.query('select from images')).rowCount).toBe(0);
    expect((await app.pool.query("select from admins where name = 'Grace'")).rowCount).toBe(0);
    await app.pool.query('alter table audit_entries drop constraint refused');
    expect([(await upload()).status, (await rename()).status]).toEqual([201, 200]);
  });
});

function onePixel(): Promise<Buffer> {
  const create = { width: 8, height: 8, channels: 3, background: '#123456' } as const;
  return sharp({ create }).png().toBuffer();
}
