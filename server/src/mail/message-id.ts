/** The Message-ID of a mail: an id of ours at the host that people reach us by. */
export function messageIdOf(publicUrl: string, id: string): string {
  return `<${id}@${new URL(publicUrl).hostname}>`;
}
