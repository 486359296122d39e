// A state as a badge, with its raw value (section 2). Section 4: active is green, pending yellow,
// completed blue, anything else red.

const tones: Record<string, string> = { active: 'green', pending: 'yellow', completed: 'blue' };

export function StatusBadge({ status }: { status: string }) {
  return <span className={`badge badge-${tones[status] ?? 'red'}`}>{status}</span>;
}
