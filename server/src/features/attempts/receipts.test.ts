import { createHash, createPublicKey, verify } from 'node:crypto';
import { beginAttempt, makeQuiz, passTime, setUpAppWithAdmin } from '@invigil/testkit/factories';
import { afterGrace } from '@invigil/testkit/fake-clock';
import { beforeAll, describe, expect, it } from 'vitest';
import { findMessage } from '../../db/queries/outbox.ts';
import { receiptKeys, signReceipt } from '../../security/receipts.ts';
import { openMessage } from '../invitations/outbox.ts';

interface Paper {
  id: string;
  options: string[];
}

describe('receipts', () => {
  const app = setUpAppWithAdmin();
  let quietQuiz: string;
  let mailingQuiz: string;

  beforeAll(async () => {
    quietQuiz = (await makeQuiz(app, app.admin)).id;
    mailingQuiz = (
      await makeQuiz(app, app.admin, { title: 'Safety', duration: 10, closingMail: true })
    ).id;
  });

  const started = async (id: string) => beginAttempt(app, app.admin, { id, questions: [] });

  /** Answers the first three questions and submits; returns the paper and what was selected. */
  async function submitted(quizId: string) {
    const attempt = await started(quizId);
    const questions = await app.call('listQuestions', {
      as: attempt.candidate.cookie,
      params: { id: quizId },
      query: { forAssessment: 'true' },
    });
    const paper: Paper[] = questions.body;
    const selected = paper.map(({ options }, i) => (i < 3 ? (options[i] ?? '') : ''));
    const answers = paper.slice(0, 3).map(({ id: questionId }, i) => ({
      questionId,
      selectedOption: selected[i],
      isFlagged: false,
      revision: 1,
    }));
    const submit = () => attempt.submit({ answers });
    return { ...attempt, paper, selected, submit, reply: await submit() };
  }

  const check = async (receipt: string) =>
    (await app.call('verifyReceipt', { body: { receipt } })).body;
  const contentOf = (signed: string) =>
    JSON.parse(Buffer.from(signed.split('.')[0] ?? '', 'base64url').toString('utf8'));
  const opened = async (messageId: string) => {
    const row = await findMessage(app.context.db, messageId);
    return row && openMessage(app.context, row);
  };
  const mails = async (id: string) =>
    (await app.pool.query('select * from outbox where participant_id = $1', [id])).rows;

  it('state what was stored: number, time, answers and a digest that anyone can recompute', async () => {
    const { id, paper, selected, reply } = await submitted(quietQuiz);
    const { receipt } = reply.body;
    const rows = paper.map((question, i) => [i + 1, question.id, selected[i]]);
    expect(contentOf(receipt.signed)).toEqual({
      version: 1,
      id: receipt.id,
      participantId: id,
      submittedAt: app.clock.now().toISOString(),
      answeredCount: 3,
      totalQuestions: 5,
      digest: createHash('sha256').update(JSON.stringify(rows)).digest('base64url'),
    });
    expect(await check(receipt.signed)).toEqual({
      valid: true,
      content: contentOf(receipt.signed),
      matches: true,
    });
  });

  it('can be verified offline with the published key', async () => {
    const { reply } = await submitted(quietQuiz);
    const key = (await app.call('getReceiptKey')).body;
    const [body = '', signature = ''] = reply.body.receipt.signed.split('.');
    const isRight = (text: string) =>
      verify(null, Buffer.from(text), key.pem, Buffer.from(signature, 'base64url'));
    expect(isRight(body)).toBe(true);
    expect(isRight(`${body}x`)).toBe(false);
    const jwk = createPublicKey(key.pem).export({ format: 'jwk' });
    expect(jwk).toEqual({ kty: 'OKP', crv: 'Ed25519', x: key.publicKey });
  });

  it('are invalid when a character was changed or another key signed', async () => {
    const { reply } = await submitted(quietQuiz);
    const { signed } = reply.body.receipt;
    const [body = '', signature = ''] = signed.split('.');
    const forged = { ...contentOf(signed), answeredCount: 5 };
    const stranger = receiptKeys(Buffer.alloc(32, 7)).privateKey;
    const nothing = { valid: false, content: null, matches: null };
    for (const text of [
      `${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${signature}`,
      signReceipt(stranger, forged),
      `${body}.`,
      `.${signature}`,
      body,
      `${signed}.${signature}`,
      `${body}.${'A'.repeat(86)}`,
      // A decoder reads each of these as the same bytes.
      `${signed}=`,
      `${signed.slice(0, -1)}${String.fromCharCode(signed.charCodeAt(signed.length - 1) + 1)}`,
      'hello',
    ]) {
      expect(await check(text), text).toEqual(nothing);
    }
    const own = receiptKeys(app.context.keys.receipts).privateKey;
    expect(await check(signReceipt(own, { other: 'document' }))).toEqual(nothing);
    expect((await app.call('verifyReceipt', { body: { receipt: ' ' } })).status).toBe(400);
    expect((await app.call('verifyReceipt', { body: { receipt: 'x'.repeat(2_001) } })).status).toBe(
      400,
    );
  });

  it('do not match when what is stored has changed', async () => {
    const { id, reply } = await submitted(quietQuiz);
    await app.pool.query('delete from answers where participant_id = $1', [id]);
    expect(await check(reply.body.receipt.signed)).toMatchObject({ valid: true, matches: false });
  });

  it('are mailed once where the assessment asks for it, however the attempt ended', async () => {
    const byHand = await submitted(mailingQuiz);
    await byHand.submit();
    expect(await mails((await submitted(quietQuiz)).id)).toEqual([]);
    const byClock = await started(mailingQuiz);
    await passTime(app, afterGrace({ minutes: 10 }));
    for (const { id, candidate } of [byHand, byClock]) {
      const rows = await mails(id);
      expect(rows).toMatchObject([
        { kind: 'receipt', recipient: candidate.email, variables: { title: 'Safety' } },
      ]);
      const message = await opened(rows[0].id);
      expect(message?.text).toMatch(/Questions answered: [03] of 5/);
      expect(message?.text).not.toMatch(/score|correct/i);
      const signed = message?.text.split('\n').at(-1) ?? '';
      expect(message?.html).toContain(signed);
      expect(await check(signed)).toMatchObject({ valid: true, matches: true });
    }
    const [own] = await mails(byHand.id);
    expect((await opened(own.id))?.text).toContain(byHand.reply.body.receipt.signed);
  });

  it('are not revoked by a newer invitation', async () => {
    const { id, candidate } = await submitted(mailingQuiz);
    await app.call('replaceParticipant', {
      as: app.admin,
      params: { id },
      body: { how: 'another', reason: 'r' },
    });
    await app.call('inviteToQuiz', {
      as: app.admin,
      params: { id: mailingQuiz },
      body: { emails: [candidate.email] },
    });
    expect((await mails(id))[0]).toMatchObject({ state: 'queued' });
  });
});
