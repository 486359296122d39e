// The layout modules of each area.

/** @type {Record<string, string[]>} */
export const frames = {
  public: [],
  account: ['accounts/AccountLayout'],
  student: ['students/StudentLayout'],
  office: ['staff/OfficeLayout'],
};

/** Modules that load the pages outside the public area. */
export const doors = ['accounts/guards.ts', 'portalPages.ts'];
