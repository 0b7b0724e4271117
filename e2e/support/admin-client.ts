import { setTimeout as pause } from 'node:timers/promises';
import { HttpPerson } from '@invigil/testkit/http-person';
import { changeQuizBy, inviteBy, makeQuizBy } from '@invigil/testkit/made-quiz';
import { PAGE_ONLY } from './policies.ts';
import type { KeyedQuestion } from './question-file.ts';
import { ADMIN } from './server-settings.ts';

const BUSY_TRIES = 5;

export interface PreparedQuiz {
  id: string;
  title: string;
  questions: KeyedQuestion[];
}

export interface Guest {
  email: string;
  code: string;
}

/** Five questions whose key is always the second option. */
const FIVE_QUESTIONS: KeyedQuestion[] = [
  ['Which layer routes packets between networks?', 'Link', 'Network', 'Transport', 'Application'],
  ['Which address is a private one?', '8.8.8.8', '10.20.30.40', '1.1.1.1', '9.9.9.9'],
  ['Which protocol gives a host its address?', 'ARP', 'DHCP', 'ICMP', 'SMTP'],
  ['How many hosts fit into a /30 network?', '1', '2', '4', '6'],
  ['What does a router use to forward a packet?', 'Source', 'Destination', 'Size', 'Age'],
].map(([question = '', ...options]) => ({
  question,
  options,
  correctAnswer: options[1] ?? '',
}));

/** Prepares data over HTTP, with the same calls as the screens. */
export class AdminClient extends HttpPerson {
  static async signIn(url: string): Promise<AdminClient> {
    const admin = new AdminClient(url);
    await admin.signIn(ADMIN.email, ADMIN.password);
    return admin;
  }

  async category(name: string, description: string | null = null): Promise<string> {
    const { id } = await this.must('createCategory', { body: { name, description } });
    return id;
  }

  /**
   * An open assessment of 25 minutes with its questions, unless the settings differ. Camera and
   * microphone are off unless a test enables them: the detectors take more processor time than
   * server and pages together.
   */
  async quiz(
    title: string,
    settings: Record<string, unknown> = {},
    questions: KeyedQuestion[] = FIVE_QUESTIONS,
  ): Promise<PreparedQuiz> {
    const categoryId = settings.categoryId ?? (await this.category(`Category of ${title}`));
    const { id } = await makeQuizBy(this.must, {
      ...{ title, questions, duration: 25, endDate: '2035-06-15T16:00:00.000Z' },
      ...{ policy: PAGE_ONLY, ...settings, categoryId },
    });
    return { id, title, questions };
  }

  change(quiz: PreparedQuiz, settings: object): Promise<void> {
    return changeQuizBy(this.must, quiz.id, settings);
  }

  async invite(quiz: PreparedQuiz, ...emails: string[]): Promise<Guest[]> {
    const codes = await inviteBy(this.must, quiz.id, emails);
    return emails.map((email, i) => ({ email, code: codes[i] ?? '' }));
  }

  async inviteOne(quiz: PreparedQuiz, email: string): Promise<Guest> {
    const [guest] = await this.invite(quiz, email);
    if (guest === undefined) throw new Error('one was invited');
    return guest;
  }

  /** The attempts at an assessment. */
  attempts(quiz: PreparedQuiz) {
    return this.must('listParticipants', { query: { quizId: quiz.id } });
  }

  /** The record of an attempt, or of the only one at an assessment. */
  async record(of: string | PreparedQuiz) {
    const id = typeof of === 'string' ? of : (await this.attempts(of))[0].id;
    return this.must('getParticipantRecord', { params: { id } });
  }

  /**
   * The response body; throws unless the call succeeds. As every client of the API should, it calls again
   * after `Retry-After` where the server is busy, as it is on a machine that others use too.
   */
  // biome-ignore lint/suspicious/noExplicitAny: responses of a server that is itself under test
  override must = async (...call: Parameters<HttpPerson['call']>): Promise<any> => {
    let reply = await this.call(...call);
    for (let tries = 1; reply.status === 503 && tries < BUSY_TRIES; tries += 1) {
      await pause(1_000 * Number(reply.retryAfter ?? 1));
      reply = await this.call(...call);
    }
    const { status, body } = reply;
    if (status >= 300) throw new Error(`${call[0]} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
}
