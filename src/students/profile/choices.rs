//! Choices in a profile (specification, section 3).

use utoipa::openapi::schema::AnyOfBuilder;
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::base::closed_set::closed_set;
use crate::web::form::read_as;

closed_set! {
    /// A student's gender.
    pub enum Gender {
        /// Male.
        Male = "male",
        /// Female.
        Female = "female",
        /// Neither, or not said.
        Other = "other",
    }
}

closed_set! {
    /// Status in Canada.
    pub enum CanadianStatus {
        /// A citizen.
        Citizen = "citizen",
        /// A permanent resident.
        PermanentResident = "permanent_resident",
        /// A holder of a study permit.
        InternationalStudent = "international_student",
        /// Anything else.
        Other = "other",
    }
}

closed_set! {
    /// A province or territory of Canada.
    pub enum Province {
        /// Alberta.
        Alberta = "AB",
        /// British Columbia.
        BritishColumbia = "BC",
        /// Manitoba.
        Manitoba = "MB",
        /// New Brunswick.
        NewBrunswick = "NB",
        /// Newfoundland and Labrador.
        Newfoundland = "NL",
        /// Nova Scotia.
        NovaScotia = "NS",
        /// Northwest Territories.
        NorthwestTerritories = "NT",
        /// Nunavut.
        Nunavut = "NU",
        /// Ontario.
        Ontario = "ON",
        /// Prince Edward Island.
        PrinceEdwardIsland = "PE",
        /// Quebec.
        Quebec = "QC",
        /// Saskatchewan.
        Saskatchewan = "SK",
        /// Yukon.
        Yukon = "YT",
    }
}

/// A province in Canada, free text elsewhere; for the OpenAPI document only.
pub enum Region {}

impl PartialSchema for Region {
    fn schema() -> RefOr<Schema> {
        // `anyOf`, not `oneOf`, as a province is also a text.
        let any = AnyOfBuilder::new().item(Ref::from_schema_name("Province")).item(String::schema());
        any.description(Some("A province in Canada, free text elsewhere.")).into()
    }
}

impl ToSchema for Region {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Province::name().into_owned(), Province::schema()));
    }
}

read_as!(Region => String);
